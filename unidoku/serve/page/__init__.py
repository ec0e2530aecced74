"""The files of the page: they are sent to the browser as they are."""
