import { allowEmptyHtml } from './trusted-types.ts';

describe('the default policy of Trusted Types', () => {
  afterEach(() => void delete (globalThis as { trustedTypes?: unknown }).trustedTypes);

  it('allows the empty text, and refuses all other HTML', () => {
    const policies: Record<string, { createHTML: (html: string) => string | null }> = {};
    Object.assign(globalThis, {
      trustedTypes: { createPolicy: (name: string, rules: (typeof policies)[string]) => void (policies[name] = rules) },
    });
    allowEmptyHtml();
    expect(['', ' ', '<img>'].map((html) => policies['default']!.createHTML(html))).toEqual(['', null, null]);
  });
  it('is skipped in browsers without Trusted Types', () => expect(allowEmptyHtml).not.toThrow());
});
