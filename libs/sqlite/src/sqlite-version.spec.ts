import { describe, expect, it } from '@jest/globals';
import { assertSafe } from './sqlite-version.ts';

describe('a version of SQLite', () => {
  it.each(['3.51.3', '3.51.10', '3.53.4', '3.60.0', '4.0.0'])('is accepted: %s', (version) =>
    expect(() => assertSafe({ version })).not.toThrow(),
  );
  it.each(['3.51.2', '3.50.99', '3.9.9', '2.99.9', ''])('that may lose data is refused: %s', (version) =>
    expect(() => assertSafe({ version })).toThrow(/may lose data; use the version of Node/),
  );
});
