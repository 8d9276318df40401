const SLICE_MILLIS = 8;

const waiting: (() => unknown)[] = [];

/**
 * Queues drawing work, and spends some milliseconds per frame on it: a text can have thousands of formulas, and the page must not block.
 */
export function drawInTurn(draw: () => unknown): void {
  waiting.push(draw);
  if (waiting.length === 1) setTimeout(drawSome);
}

function drawSome(): void {
  const end = performance.now() + SLICE_MILLIS;
  try {
    while (waiting.length > 0 && performance.now() < end) waiting.shift()!();
  } finally {
    // Continue even if one throws.
    if (waiting.length > 0) requestAnimationFrame(() => setTimeout(drawSome));
  }
}
