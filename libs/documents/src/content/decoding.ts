const BINARY_SAMPLE = 65_536;
// Control characters that no text file has. Tab, line feed, form feed, carriage return and escape do occur.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0006\u000E-\u001A\u001C-\u001F]/;

const charsetOf = (text: string) => /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1];

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

/** UTF-16 without a byte order mark: most characters of common scripts share their high byte, often zero. */
function bareUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 1024);
  let even = 0;
  let odd = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even++;
    if (sample[at + 1] === 0) odd++;
  }
  const pairs = Math.floor(sample.length / 2);
  if (pairs < 2 || even + odd < pairs * 0.4) return undefined;
  if (odd > pairs * 0.4 && even <= pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.4 && odd <= pairs * 0.02) return 'utf-16be';
  return undefined;
}

/** The text of a file, or undefined if the bytes are not text. A file that is not UTF-8 and names no charset is read as Windows-1252. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const utf16 = bareUtf16(bytes);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, BINARY_SAMPLE)).toString('latin1');
  if (CONTROL.test(sample)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const label = charsetOf(contentType ?? '') ?? charsetOf(sample.slice(0, 4096));
    return (decoderFor(label) ?? new TextDecoder('windows-1252')).decode(bytes);
  }
}
