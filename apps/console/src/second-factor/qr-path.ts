import { encodeQR } from 'qr';

/** Light modules that a code needs around it. */
const BORDER = 4;

export interface QrPath {
  /** Modules of a side, with the border. */
  readonly size: number;
  /** The dark modules, a run of each row at a time, as the path of an SVG. */
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
