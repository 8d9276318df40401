import { afterEach, expect, it, jest } from '@jest/globals';
import { requireNode } from './required-node.ts';

afterEach(() => void jest.restoreAllMocks());

it('ends the process under an older Node with a line that names the required version, and otherwise returns', () => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ended = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  for (const version of ['24.0.0', '26.1.0']) requireNode(version);
  expect(ended).not.toHaveBeenCalled();
  requireNode('20.20.2');
  expect(ended).toHaveBeenCalledWith(1);
  expect(written).toHaveBeenCalledWith(expect.stringMatching(/^Parlance needs Node 24 or newer, and this is Node 20\.20\.2\./));
});
