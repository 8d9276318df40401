import { fstatSync, linkSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { file, path } from '../test/pairs-file.ts';
import { holdDescriptor } from './file-descriptor.ts';

describe('the descriptor of a file', () => {
  it('is shared, even under another name of the file, and closed by its last user', async () => {
    linkSync(path, `${path}-other`);
    const [one, other] = [holdDescriptor(path), holdDescriptor(`${path}-other`)];
    expect(other.fd).toBe(one.fd);
    one.release();
    await file.close();
    expect(fstatSync(other.fd).isFile()).toBe(true);
    other.release();
    expect(() => fstatSync(other.fd)).toThrow('EBADF');
  });
});
