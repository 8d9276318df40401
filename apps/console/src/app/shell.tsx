import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Bot, ChartColumn, LogOut, Menu as MenuIcon, Plus, Search, SquareSlash, Store, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { signOut } from '../session/begin-session.ts';
import { isAdmin, useMe } from '../session/use-me.ts';
import { IconButton, buttonLook } from '../ui/button.tsx';
import { toastError } from '../ui/toasts.tsx';
import { PHONE_HEADER_ID } from './phone-header.tsx';
import { OfflineNote } from './offline-note.tsx';
import { NavLink } from './nav-link.tsx';

// Needed neither by the sign-in page nor by the first render of other pages.
const ChatList = lazy(async () => ({ default: (await import('../pages/chat/chat-list.tsx')).ChatList }));
const AdminNav = lazy(async () => ({ default: (await import('./admin-nav.tsx')).AdminNav }));
const CommandPalette = lazy(async () => ({ default: (await import('./palette/command-palette.tsx')).CommandPalette }));

/** The frame of all pages of a signed-in user: navigation, list of chats, and the page. On phones the navigation opens above the page. */
export function Shell() {
  const { common } = useMessages();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [wasPaletteOpen, setPaletteWasOpen] = useState(false);
  if (isPaletteOpen && !wasPaletteOpen) setPaletteWasOpen(true);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });

  useEffect(() => setMenuOpen(false), [pathname]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);

  return (
    <div className="flex h-full max-md:flex-col">
      <a href="#content" className={`${buttonLook('primary')} absolute start-2 top-2 z-50 not-focus:sr-only`}>
        {common.skipToContent}
      </a>
      <header className="flex items-center gap-1 border-b border-line px-2 py-1 md:hidden">
        <IconButton
          label={isMenuOpen ? common.closeMenu : common.openMenu}
          aria-expanded={isMenuOpen}
          onPress={() => setMenuOpen(!isMenuOpen)}
        >
          {isMenuOpen ? <X aria-hidden className="size-5" /> : <MenuIcon aria-hidden className="size-5" />}
        </IconButton>
        <div id={PHONE_HEADER_ID} className={`peer min-w-0 grow empty:hidden ${isMenuOpen ? 'hidden' : ''}`} />
        <span className={`font-semibold ${isMenuOpen ? '' : 'peer-[:not(:empty)]:hidden'}`}>{common.appName}</span>
      </header>
      <aside
        className={`flex w-72 shrink-0 flex-col border-e border-line bg-surface max-md:w-full max-md:grow max-md:border-0 max-md:min-h-0 ${isMenuOpen ? '' : 'max-md:hidden'}`}
      >
        <div className="flex flex-col gap-1 p-3">
          <div className="flex items-center gap-2 pb-2 max-md:hidden">
            <span className="grow ps-2 text-md font-semibold">{common.appName}</span>
            <IconButton label={`${common.commands} (Ctrl+K)`} onPress={() => setPaletteOpen(true)}>
              <Search aria-hidden className="size-4.5" />
            </IconButton>
          </div>
          <Navigation />
        </div>
        <div className="min-h-0 grow overflow-y-auto px-3 pb-3">
          <Suspense>{pathname.startsWith('/admin') ? <AdminNav /> : <ChatList />}</Suspense>
        </div>
        <AccountLine />
      </aside>
      {/* The note takes height from the page below it, so a chat keeps its input in view. */}
      <div className={`flex min-h-0 min-w-0 grow flex-col ${isMenuOpen ? 'max-md:hidden' : ''}`}>
        <OfflineNote />
        <main id="content" tabIndex={-1} className="relative min-h-0 grow overflow-y-auto outline-none">
          <Outlet />
        </main>
      </div>
      {wasPaletteOpen && (
        <Suspense>
          <CommandPalette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
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
  const name = `${me.first_name} ${me.last_name}`.trim() || me.email;
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
