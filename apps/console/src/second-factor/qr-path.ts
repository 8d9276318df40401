import { encodeQR } from 'qr';

/** Light modules that a code needs around it. */
const BORDER = 4;

export interface QrPath {
  /** The modules of one side, border included. */
  readonly size: number;
  /** An SVG path of the dark modules, one run of a row at a time. */
  readonly path: string;
}

export function qrPath(text: string): QrPath {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER });
  const runs = rows.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? '1' : '0')).join('');
    return [...line.matchAll(/1+/g)].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`);
  });
  return { size: rows.length, path: runs.join('') };
}
