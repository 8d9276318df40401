/** Long enough for the browser to start saving the file. */
const KEPT_MILLIS = 60_000;

/** Saves a file that was made in the page. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MILLIS);
}

/** Lets the browser download a file from its address. */
export function downloadFrom(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  link.download = '';
  link.click();
}
