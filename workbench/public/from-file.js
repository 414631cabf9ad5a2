// Opened from a disk or a file share, a page may load no modules: the one that holds all it needs takes its place.
if (location.protocol === "file:") {
	stop();
	location.replace(`odentify.html${location.hash}`);
}
