import type { Representation } from '../../adapters/console-files.ts';

/** `gzip;q=0.5` */
const PART = /^([\w*.-]+)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,3})?))?$/i;
/** The weight of the unencoded file if the header does not name it: every client can read it, but it is the largest. */
const LEAST = 0.0001;

/**
 * The representation with the highest weight in `Accept-Encoding` (RFC 9110); of equal ones, the first. A client that refuses all encodings
 * gets the unencoded file.
 */
export function acceptedOf(representations: readonly Representation[], header: string | undefined): Representation {
  const weights = weightsIn(header ?? '');
  const plain = representations.at(-1) as Representation;
  let [best, most] = [plain, 0];
  for (const each of representations) {
    const weight =
      each.encoding === null ? Math.max(weights.get('identity') ?? LEAST, LEAST) : (weights.get(each.encoding) ?? weights.get('*') ?? 0);
    if (weight > most) [best, most] = [each, weight];
  }
  return best;
}

/** The weights in the header by encoding. Parts that cannot be parsed are skipped. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [, name, weight] = PART.exec(part.trim()) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase().replace(/^x-/, ''), Math.min(Number(weight ?? 1), 1));
  }
  return weights;
}
