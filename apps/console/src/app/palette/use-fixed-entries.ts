import { useNavigate } from '@tanstack/react-router';
import { useAdminPageNames } from '../../messages/admin-page-names.ts';
import { useMessages } from '../../messages/index.ts';
import { usePaletteMessages } from '../../messages/palette-messages.ts';
import { useShortcutMessages } from '../../messages/shortcut-messages.ts';
import { signOut } from '../../session/begin-session.ts';
import { isAdmin, mayCreateBots, useMe } from '../../session/use-me.ts';
import { toastError } from '../../ui/toasts.tsx';
import { adminPages } from '../admin-pages.ts';
import { chooseTheme } from '../theme.ts';
import { type Entry, type EntrySection, named } from './entries.ts';

export interface ShellActions {
  readonly isNavigationHidden: boolean;
  readonly onNavigation: () => void;
  readonly onShortcuts: () => void;
}

/** Pages and actions whose names contain the words. */
export function useFixedEntries(text: string, shell: ShellActions): readonly EntrySection[] {
  const { common } = useMessages();
  const names = useAdminPageNames();
  const texts = usePaletteMessages();
  const shortcuts = useShortcutMessages();
  const me = useMe();
  const navigate = useNavigate();
  const page = (path: string, name: string): Entry => ({ id: `page:${path}`, name, run: () => void navigate({ to: path }) });
  const pages = [
    page('/', common.newChat),
    page('/bots', common.bots),
    page('/store', common.store),
    page('/prompts', common.prompts),
    page('/account', common.account),
    ...(isAdmin(me) ? adminPages(names).map(({ path, name }) => page(path, common.named(common.admin, name))) : []),
  ];
  const actions: readonly Entry[] = [
    ...(mayCreateBots(me) ? [{ id: 'new-bot', name: texts.newBot, run: () => void navigate({ to: '/bots/new' }) }] : []),
    {
      id: 'navigation',
      name: shell.isNavigationHidden ? common.showNavigation : common.hideNavigation,
      run: shell.onNavigation,
    },
    { id: 'shortcuts', name: shortcuts.title, run: shell.onShortcuts },
    { id: 'light', name: texts.lightTheme, run: () => chooseTheme('light') },
    { id: 'dark', name: texts.darkTheme, run: () => chooseTheme('dark') },
    { id: 'system', name: texts.systemTheme, run: () => chooseTheme('system') },
    { id: 'sign-out', name: common.signOut, run: () => void signOut().catch(toastError) },
  ];
  return [
    { id: 'pages', entries: named(pages, text) },
    { id: 'actions', entries: named(actions, text) },
  ];
}
