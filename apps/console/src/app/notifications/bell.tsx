import { Bell as BellIcon } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useNotificationMessages } from '../../messages/notification-messages.ts';
import { useMe } from '../../session/use-me.ts';
import { IconButton } from '../../ui/button.tsx';
import { showNew } from './browser-notifications.ts';
import { described } from './notification-text.ts';
import { useNotifications } from './use-notifications.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';

const NotificationList = lazyPart(() => import('./notification-list.tsx'), 'NotificationList');

/** The number of unread notifications, and a button that opens their list. Several bells share one request. */
export function Bell() {
  const texts = useNotificationMessages();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { data } = useNotifications();
  const { user_id: userId } = useMe();
  const unread = data?.unread ?? 0;
  useEffect(() => {
    if (!data) return;
    showNew(
      data.notifications.flatMap((each) => {
        const text = described(each, userId, texts);
        return text ? [{ id: each.id, unread: each.unread, ...text }] : [];
      }),
    );
  }, [data, userId, texts]);
  return (
    <>
      <IconButton
        ref={button}
        label={unread === 0 ? texts.title : texts.unread(unread)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="relative"
        onPress={() => setOpen(!isOpen)}
      >
        <BellIcon aria-hidden className="size-4.5" />
        {unread > 0 && <span aria-hidden className="absolute end-1.5 top-1.5 size-2.5 rounded-full border-2 border-surface bg-accent" />}
      </IconButton>
      {isOpen && (
        <Suspense>
          <NotificationList trigger={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
