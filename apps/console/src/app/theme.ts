export type Theme = 'system' | 'light' | 'dark';

const KEY = 'parlance.theme';

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
}

/** Without a choice, the colours follow the system. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
