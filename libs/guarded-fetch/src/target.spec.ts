import { describe, expect, it } from '@jest/globals';
import { BLOCKED_PORTS, targetOf } from './target.ts';

describe('the ports of other protocols', () => {
  it('are the ports that the Fetch standard blocks, as implemented by Node', async () => {
    const reasons = await Promise.all(
      // Node connects to port 0, which the standard blocks.
      [...BLOCKED_PORTS].filter(Boolean).map((port) =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => 'answered',
          (error: Error) => (error.cause as Error).message,
        ),
      ),
    );
    expect(new Set(reasons)).toEqual(new Set(['bad port']));
    expect(BLOCKED_PORTS.size).toBe(83);
  });

  it('are refused', () => {
    for (const port of BLOCKED_PORTS)
      expect(() => targetOf(`https://a.test:${port}/`)).toThrow(expect.objectContaining({ code: 'port_forbidden' }));
    expect(targetOf('https://a.test:8443/').href).toBe('https://a.test:8443/');
  });
});
