import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const navLook =
  'flex min-h-9 max-md:min-h-11 items-center gap-2.5 rounded-sm px-2.5 text-sm text-text hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

export function NavLink({ to, icon, isExact = false, children }: { to: string; icon?: ReactNode; isExact?: boolean; children: ReactNode }) {
  return (
    <Link to={to as '/'} activeOptions={{ exact: isExact }} className={navLook}>
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </Link>
  );
}
