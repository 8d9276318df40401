const SLICE_MILLIS = 8;

const waiting: (() => unknown)[] = [];

/** Draws later, with others, for some milliseconds in each frame: a text can have thousands of formulas, and the page must not stop. */
export function drawInTurn(draw: () => unknown): void {
  waiting.push(draw);
  if (waiting.length === 1) setTimeout(drawSome);
}

function drawSome(): void {
  const end = performance.now() + SLICE_MILLIS;
  try {
    while (waiting.length > 0 && performance.now() < end) waiting.shift()!();
  } finally {
    // Also behind one that throws.
    if (waiting.length > 0) requestAnimationFrame(() => setTimeout(drawSome));
  }
}
