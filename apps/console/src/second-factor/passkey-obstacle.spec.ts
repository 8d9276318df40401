import { expect, it } from '@jest/globals';
import { passkeyObstacle } from './passkey-obstacle.ts';

it.each([
  [{ server: false, isSecure: false, browser: false }, 'address'],
  [{ server: true, isSecure: false, browser: false }, 'insecure'],
  [{ server: true, isSecure: true, browser: false }, 'browser'],
  [{ server: true, isSecure: true, browser: true }, null],
])('names the first obstacle to a passkey: %j', (conditions, obstacle) => expect(passkeyObstacle(conditions)).toBe(obstacle));
