import { describe, expect, it } from '@jest/globals';
import { Shredded } from '@parlance/privacy';
import { Origins } from './origins.ts';

/** Origins over a vault that counts its seals and whose users can be erased. */
function vault() {
  const erased = new Set<string>();
  let sealed = 0;
  const seal = async ({ id }: { id: string }, text: string) => {
    if (erased.has(id)) throw new Shredded(id);
    return `s1.${Buffer.from(id).toString('base64url')}.${++sealed}${Buffer.from(text).toString('base64url')}`;
  };
  return { erased, sealed: () => sealed, origins: new Origins({ seal } as never) };
}

const ann = { ip: '203.0.113.9', userAgent: 'curl' };

describe("a user's IP address and user agent", () => {
  it('are sealed again only when they change', async () => {
    const { origins, sealed } = vault();
    const first = await origins.sealed('ann', ann);
    expect(await origins.sealed('ann', ann)).toEqual(first);
    expect(sealed()).toBe(2);
    expect(await origins.sealed('ben', ann)).not.toEqual(first);
    expect(await origins.sealed('ann', { ...ann, ip: '203.0.113.10' })).not.toEqual(first);
    expect(JSON.stringify(first)).not.toContain('203.0.113.9');
  });

  it('are null for an erased user', async () => {
    const { origins, erased } = vault();
    erased.add('user:ann');
    expect(await origins.sealed('ann', ann)).toEqual({ ip: null, userAgent: null });
  });
});
