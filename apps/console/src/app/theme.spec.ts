import { chooseTheme, chosenTheme } from './theme.ts';

const kept = new Map<string, string>();
const dataset: Record<string, string> = {};
Object.assign(globalThis, {
  localStorage: { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) },
  document: { documentElement: { dataset } },
});

describe('the theme', () => {
  it('is kept and set, and that of the system has no name', () => {
    chooseTheme('dark');
    expect([chosenTheme(), dataset]).toEqual(['dark', { theme: 'dark' }]);
    chooseTheme('system');
    expect([chosenTheme(), dataset]).toEqual(['system', {}]);
  });
  it('is that of the system if another value was kept', () => {
    kept.set('parlance.theme', 'neon');
    expect(chosenTheme()).toBe('system');
  });
});
