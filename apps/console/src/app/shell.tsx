import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Bot, ChartColumn, LogOut, Menu as MenuIcon, PanelLeftClose, Plus, Search, SquareSlash, Store, X } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { signOut } from '../session/begin-session.ts';
import { isAdmin, useMe } from '../session/use-me.ts';
import { COMPOSER_ID } from '../pages/chat/conversation/focus.ts';
import { IconButton, buttonLook } from '../ui/button.tsx';
import { toastError } from '../ui/toasts.tsx';
import { PHONE_HEADER_ID } from './phone-header.tsx';
import { OfflineNote } from './offline-note.tsx';
import { fullName } from './full-name.ts';
import { NavLink } from './nav-link.tsx';
import { controlKey, shortcutOf } from './shortcuts/shortcuts.ts';
import { Rail } from './sidebar/rail.tsx';
import { useSidebar } from './sidebar/use-sidebar.ts';
import { lazyPart, Nothing } from '../ui/lazy-part.tsx';

// Needed neither by the sign-in page nor by the first render of other pages.
const ChatList = lazyPart(() => import('../pages/chat/chat-list.tsx'), 'ChatList');
const AdminNav = lazyPart(() => import('./admin-nav.tsx'), 'AdminNav');
const Bell = lazyPart(() => import('./notifications/bell.tsx'), 'Bell', Nothing);
const CommandPalette = lazyPart(() => import('./palette/command-palette.tsx'), 'CommandPalette');
const ShortcutsDialog = lazyPart(() => import('./shortcuts/shortcuts-dialog.tsx'), 'ShortcutsDialog');

/** The frame of all pages of a signed-in user: navigation, list of chats, and the page. On phones the navigation opens above the page. */
export function Shell() {
  const { common } = useMessages();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<'palette' | 'shortcuts' | null>(null);
  const sidebar = useSidebar();
  const navigate = useNavigate();
  const pathname = useRouterState({ select: ({ location }) => location.pathname });

  useEffect(() => setMenuOpen(false), [pathname]);
  const latest = useRef({ toggle: sidebar.toggle, navigate });
  latest.current = { toggle: sidebar.toggle, navigate };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event);
      // An editor may use the same keys.
      if (shortcut === null || event.defaultPrevented) return;
      event.preventDefault();
      if (shortcut === 'navigation') latest.current.toggle();
      else if (shortcut === 'new-chat') void latest.current.navigate({ to: '/' });
      else if (shortcut === 'field') document.getElementById(COMPOSER_ID)?.focus();
      else setDialog(shortcut);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <div className="flex h-full max-md:flex-col print:block print:h-auto">
      <a href="#content" className={`${buttonLook('primary')} absolute start-2 top-2 z-50 not-focus:sr-only`}>
        {common.skipToContent}
      </a>
      <header className="flex items-center gap-1 border-b border-line px-2 py-1 md:hidden print:hidden">
        <IconButton
          label={isMenuOpen ? common.closeMenu : common.openMenu}
          aria-expanded={isMenuOpen}
          onPress={() => setMenuOpen(!isMenuOpen)}
        >
          {isMenuOpen ? <X aria-hidden className="size-5" /> : <MenuIcon aria-hidden className="size-5" />}
        </IconButton>
        <div id={PHONE_HEADER_ID} className={`peer min-w-0 grow empty:hidden ${isMenuOpen ? 'hidden' : ''}`} />
        <span className={`grow font-semibold ${isMenuOpen ? '' : 'peer-[:not(:empty)]:hidden'}`}>{common.appName}</span>
        {isMenuOpen && (
          <>
            <Suspense>
              <Bell />
            </Suspense>
            <IconButton label={common.commands} onPress={() => setDialog('palette')}>
              <Search aria-hidden className="size-5" />
            </IconButton>
          </>
        )}
      </header>
      <aside
        className={`flex w-72 shrink-0 flex-col border-e border-line bg-surface max-md:w-full max-md:grow max-md:border-0 max-md:min-h-0 print:hidden ${isMenuOpen ? '' : 'max-md:hidden'} ${sidebar.isHidden ? 'md:hidden' : ''}`}
      >
        <div className="flex flex-col gap-1 p-3">
          <div className="flex items-center gap-2 pb-2 max-md:hidden">
            <span className="grow ps-2 text-md font-semibold">{common.appName}</span>
            <Suspense>
              <Bell />
            </Suspense>
            <IconButton label={`${common.commands} (${controlKey()}+K)`} onPress={() => setDialog('palette')}>
              <Search aria-hidden className="size-4.5" />
            </IconButton>
            <IconButton
              ref={sidebar.isHidden ? undefined : sidebar.button}
              label={`${common.hideNavigation} (${controlKey()}+B)`}
              aria-expanded
              onPress={sidebar.toggle}
            >
              <PanelLeftClose aria-hidden className="size-4.5 rtl:-scale-x-100" />
            </IconButton>
          </div>
          <Navigation />
        </div>
        <div className="min-h-0 grow overflow-y-auto px-3 pb-3">
          <Suspense>{pathname.startsWith('/admin') ? <AdminNav /> : <ChatList />}</Suspense>
        </div>
        <AccountLine />
      </aside>
      {sidebar.isHidden && <Rail button={sidebar.button} onShow={sidebar.toggle} onSearch={() => setDialog('palette')} bell={<Bell />} />}
      {/* The note takes height from the page below it, so a chat keeps its input in view. */}
      <div className={`flex min-h-0 min-w-0 grow flex-col print:block ${isMenuOpen ? 'max-md:hidden' : ''}`}>
        <OfflineNote />
        <main id="content" tabIndex={-1} className="relative min-h-0 grow overflow-y-auto outline-none print:overflow-visible">
          <Outlet />
        </main>
      </div>
      <Suspense>
        {dialog === 'palette' && (
          <CommandPalette
            isNavigationHidden={sidebar.isHidden}
            onNavigation={sidebar.toggle}
            onShortcuts={() => setDialog('shortcuts')}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={() => setDialog(null)} />}
      </Suspense>
    </div>
  );
}

function Navigation() {
  const { common } = useMessages();
  const me = useMe();
  return (
    <nav aria-label={common.menu} className="flex flex-col gap-0.5">
      <NavLink to="/" isExact icon={<Plus aria-hidden className="size-4.5" />}>
        {common.newChat}
      </NavLink>
      <NavLink to="/bots" icon={<Bot aria-hidden className="size-4.5" />}>
        {common.bots}
      </NavLink>
      <NavLink to="/store" icon={<Store aria-hidden className="size-4.5" />}>
        {common.store}
      </NavLink>
      <NavLink to="/prompts" icon={<SquareSlash aria-hidden className="size-4.5" />}>
        {common.prompts}
      </NavLink>
      {isAdmin(me) && (
        <NavLink to="/admin" icon={<ChartColumn aria-hidden className="size-4.5" />}>
          {common.admin}
        </NavLink>
      )}
    </nav>
  );
}

function AccountLine() {
  const { common } = useMessages();
  const me = useMe();
  const [isPending, setPending] = useState(false);
  const name = fullName(me) || me.email;
  const leave = async () => {
    setPending(true);
    await signOut().catch(toastError);
    setPending(false);
  };
  return (
    <div className="flex items-center gap-1 border-t border-line p-2">
      <Link
        to="/account"
        className="flex min-h-9 min-w-0 grow items-center gap-2 rounded-sm px-2.5 text-sm font-medium hover:bg-raised aria-[current=page]:text-accent max-md:min-h-11"
      >
        <span className="sr-only">{common.account}: </span>
        <span
          aria-hidden
          className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span className="min-w-0 truncate">{name}</span>
      </Link>
      <IconButton label={common.signOut} isPending={isPending} onPress={() => void leave()}>
        <LogOut aria-hidden className="size-4.5 rtl:-scale-x-100" />
      </IconButton>
    </div>
  );
}
