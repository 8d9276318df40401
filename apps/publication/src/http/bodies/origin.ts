import { ValidateBy } from 'class-validator';

const LONGEST_ORIGIN = 300;

/**
 * The origin as browsers send it, or `*`; null if the text is not an origin. `https://Example.org:443/` becomes `https://example.org`. A host
 * with `*` is refused: URLs may contain it, but no browser sends it, so it would never match.
 */
export function canonicalOrigin(text: string): string | null {
  if (text === '*') return text;
  if (text.length > LONGEST_ORIGIN || !/^https?:\/\/[^/?#@*\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  return new URL(text).origin;
}

/** `*`, or a scheme and a host with an optional port. */
export const IsOrigin = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isOrigin', validator: { validate: (text) => typeof text === 'string' && canonicalOrigin(text) !== null } },
    {
      each: true,
      message: 'must contain only * or origins, such as https://www.example.org',
      context: { schema: { type: 'string', maxLength: LONGEST_ORIGIN, example: 'https://www.example.org' } },
    },
  );
