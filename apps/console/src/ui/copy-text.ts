/** Copies to the clipboard. Over http on a local network there is no `navigator.clipboard`. Resolves with false if the browser does not allow copying. */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) {
    const isCopied = await clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (isCopied) return true;
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
  }
}
