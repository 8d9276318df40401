import { expect, it } from '@jest/globals';
import { decodeQR } from 'qr/decode.js';
import { qrPath } from './qr-path.ts';

const SCALE = 4;

/** Rasterises the path as a browser does, on white. */
function drawn({ size, path }: ReturnType<typeof qrPath>) {
  const side = size * SCALE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row++)
      for (let column = Number(x) * SCALE; column < (Number(x) + Number(length)) * SCALE; column++)
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
  return { width: side, height: side, data };
}

it('draws a code that a camera reads as the same text', () => {
  const uri = `otpauth://totp/Parlance:ada%40example.org?secret=${'ABCD2345'.repeat(4)}&issuer=Parlance`;
  expect(decodeQR(drawn(qrPath(uri)))).toBe(uri);
});
