import { Bot, Cable, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-aria-components';
import { useEntryMessages } from '../../../messages/entry-messages.ts';
import { isAdmin, useMe } from '../../../session/use-me.ts';
import { IconButton } from '../../../ui/button.tsx';

const KEY = 'parlance.first-steps-hidden';

/** Shows administrators what to do after the first chat, until they hide it in this browser. */
export function FirstSteps() {
  const entry = useEntryMessages();
  const me = useMe();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(KEY) === 'true');
  if (isHidden || !isAdmin(me)) return null;
  const hide = () => {
    localStorage.setItem(KEY, 'true');
    setHidden(true);
    document.querySelector<HTMLElement>('#content')?.focus();
  };
  return (
    <section aria-label={entry.firstSteps} className="w-full rounded-md border border-line bg-raised p-4">
      <div className="flex items-center justify-between gap-2 pb-2">
        <h2 className="text-sm font-semibold">{entry.firstSteps}</h2>
        <IconButton label={entry.hideFirstSteps} onPress={hide}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Step href="/bots/new" icon={<Bot aria-hidden className="size-5" />} title={entry.makeBot} text={entry.makeBotText} />
        <Step
          href="/admin/models/connect"
          icon={<Cable aria-hidden className="size-5" />}
          title={entry.connectModel}
          text={entry.connectModelText}
        />
      </div>
    </section>
  );
}

function Step({ href, icon, title, text }: { href: string; icon: ReactNode; title: string; text: string }) {
  return (
    <Link href={href} className="flex gap-3 rounded-sm border border-line p-3 hover:bg-surface">
      <span className="pt-0.5 text-accent">{icon}</span>
      <span className="min-w-0">
        <span className="block text-sm font-medium">{title}</span>
        <span className="block text-xs text-muted">{text}</span>
      </span>
    </Link>
  );
}
