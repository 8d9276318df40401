import { readFileSync } from 'node:fs';
import { COLOURS } from './colours.ts';
import { initialOf } from './initial.ts';

type Rgb = readonly number[];

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
/** A colour, partly opaque, on a background. */
const over = (colour: Rgb, opacity: number, background: Rgb): Rgb =>
  colour.map((part, at) => part * opacity + background[at]! * (1 - opacity));
/** The relative luminance of WCAG 2. */
const luminance = (colour: Rgb): number => {
  const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};
function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** The part of the background of an icon that is opaque: `bg-current/15`. */
const OPACITY = 0.15;
/** The backgrounds of pages, cards and chosen rows in styles.css. */
const BACKGROUNDS = { light: ['#ffffff', '#f6f7f9', '#e8effc'], dark: ['#111418', '#181c22', '#1e232a', '#1c2b47'] };

const styles = readFileSync(new URL('../../../styles.css', import.meta.url), 'utf8');

describe('the colour of an icon', () => {
  it.each(COLOURS)('can be read on its background in both themes: %s', (name) => {
    const [, light, dark] = new RegExp(`--bot-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(styles)!;
    for (const [text, backgrounds] of [
      [rgb(light!), BACKGROUNDS.light],
      [rgb(dark!), BACKGROUNDS.dark],
    ] as const) {
      for (const background of backgrounds) expect(contrast(text, over(text, OPACITY, rgb(background)))).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('the initial of a title', () => {
  it.each([
    ['handbook', 'H'],
    [' “éclairs”', 'É'],
    ['🧭 3 maps', '3'],
    ['日本', '日'],
    ['🧭', null],
  ])('%s is %s', (title, initial) => expect(initialOf(title)).toBe(initial));
});
