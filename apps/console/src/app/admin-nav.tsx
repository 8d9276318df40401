import { useRef } from 'react';
import { useAdminPageNames } from '../messages/admin-page-names.ts';
import { useMessages } from '../messages/index.ts';
import { useCurrentInView } from '../ui/use-current-in-view.ts';
import { adminPages } from './admin-pages.ts';
import { NavLink } from './nav-link.tsx';

export function AdminNav() {
  const { common } = useMessages();
  const names = useAdminPageNames();
  const list = useRef<HTMLElement>(null);
  useCurrentInView(list);
  return (
    <nav ref={list} aria-label={common.admin} className="flex flex-col gap-0.5 border-t border-line pt-3">
      {adminPages(names).map(({ path, name }) => (
        <NavLink key={path} to={path} isExact={path === '/admin'}>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
