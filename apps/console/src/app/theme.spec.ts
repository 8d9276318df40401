import { chooseTheme, chosenTheme } from './theme.ts';

const kept = new Map<string, string>();
const dataset: Record<string, string> = {};
Object.assign(globalThis, {
  localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) },
  document: { documentElement: { dataset } },
});

describe('the theme', () => {
  it('is stored and set, and the system theme has no name', () => {
    chooseTheme('dark');
    expect([chosenTheme(), dataset]).toEqual(['dark', { theme: 'dark' }]);
    chooseTheme('system');
    expect([chosenTheme(), dataset]).toEqual(['system', {}]);
  });
  it('follows the system if an unknown value was stored', () => {
    kept.set('parlance.theme', 'neon');
    expect(chosenTheme()).toBe('system');
  });
});
