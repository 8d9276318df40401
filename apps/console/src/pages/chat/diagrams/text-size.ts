/** The font size and line height of labels. */
export const FONT_SIZE = 13;
export const LINE_HEIGHT = 18;

export type Measure = (text: string) => number;

/** The width of a text in the font of the page. */
export function measureInPage(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return roughly;
  context.font = `${FONT_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context.measureText(text).width;
}

/** An estimate for browsers without a canvas: full-width characters are as wide as they are high. */
export const roughly: Measure = (text) => [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? FONT_SIZE : FONT_SIZE * 0.62), 0);

export const widthOf = (lines: readonly string[], measure: Measure): number => Math.max(0, ...lines.map(measure));
export const heightOf = (lines: readonly string[]): number => lines.length * LINE_HEIGHT;
