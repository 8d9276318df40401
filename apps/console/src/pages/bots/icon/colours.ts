import type { ColourName } from './appearance.ts';

/** A colour that the server adds does not compile without an entry here. Their values are in styles.css. */
const ALL: Readonly<Record<ColourName, true>> = {
  red: true,
  orange: true,
  yellow: true,
  green: true,
  teal: true,
  blue: true,
  indigo: true,
  purple: true,
  pink: true,
  grey: true,
};
export const COLOURS = Object.keys(ALL) as readonly ColourName[];
