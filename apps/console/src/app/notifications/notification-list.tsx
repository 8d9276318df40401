import type { Notification } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RefObject, useRef, useState } from 'react';
import { Dialog, Heading } from 'react-aria-components';
import { formatAge } from '../../messages/format.ts';
import { useMessages } from '../../messages/index.ts';
import { useNotificationMessages } from '../../messages/notification-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { useMe } from '../../session/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { PopoverFrame } from '../../ui/popover-frame.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { toastError } from '../../ui/toasts.tsx';
import { ask, canAsk, isDenied } from './browser-notifications.ts';
import { described } from './notification-text.ts';
import { ALL, NEWEST, NOTIFICATIONS_KEY, useNotifications } from './use-notifications.ts';

interface Props {
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The newest notifications, beside the bell. */
export function NotificationList({ trigger, onClose }: Props) {
  const texts = useNotificationMessages();
  const { common } = useMessages();
  const [limit, setLimit] = useState(NEWEST);
  const query = useNotifications(limit);
  const cache = useQueryClient();
  const title = useRef<HTMLHeadingElement>(null);
  // Buttons that have done their work disappear, and the focus would leave the dialog with them.
  const toTitle = () => title.current?.focus();
  const marking = useMutation({
    mutationFn: (up_to: string) => parlance.api.post('/user/me/notifications/read', { body: { up_to } }),
    onSuccess: () => {
      toTitle();
      return cache.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
    },
    onError: toastError,
  });
  return (
    <PopoverFrame trigger={trigger} onClose={onClose} className="w-96 max-w-[calc(100vw-1.5rem)]">
      <Dialog className="flex max-h-128 flex-col outline-none">
        <div className="flex min-h-12 items-center gap-2 border-b border-line px-4 py-1.5">
          <Heading ref={title} tabIndex={-1} slot="title" level={2} className="grow text-sm font-semibold outline-none">
            {texts.title}
          </Heading>
          {query.data && query.data.unread > 0 && (
            <Button look="quiet" size="small" isPending={marking.isPending} onPress={() => marking.mutate(query.data.position)}>
              {texts.markRead}
            </Button>
          )}
        </div>
        <div className="min-h-0 overflow-y-auto">
          <Loaded query={query}>
            {({ notifications }) =>
              notifications.length === 0 ? (
                <EmptyState title={texts.emptyTitle} text={texts.emptyText} />
              ) : (
                <>
                  <ul className="p-1">
                    {notifications.map((each) => (
                      <Item key={each.id} notification={each} onClose={onClose} />
                    ))}
                  </ul>
                  {limit < ALL && notifications.length === limit && (
                    <Button
                      look="quiet"
                      size="small"
                      className="m-2"
                      onPress={() => {
                        toTitle();
                        setLimit(ALL);
                      }}
                    >
                      {common.more}
                    </Button>
                  )}
                </>
              )
            }
          </Loaded>
        </div>
        <BrowserLine onAsked={toTitle} />
      </Dialog>
    </PopoverFrame>
  );
}

function Item({ notification, onClose }: { readonly notification: Notification; readonly onClose: () => void }) {
  const { common } = useMessages();
  const texts = useNotificationMessages();
  const { user_id: userId } = useMe();
  const shown = described(notification, userId, texts);
  if (!shown) return null;
  return (
    <li>
      <Link to={shown.path} onClick={onClose} className="flex min-h-11 gap-2 rounded-sm px-3 py-2 text-sm hover:bg-surface">
        <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${notification.unread ? 'bg-accent' : ''}`} />
        <span className="min-w-0 grow">
          {notification.unread && <span className="sr-only">{common.named(texts.isNew, '')}</span>}
          <span className={`block truncate ${notification.unread ? 'font-semibold' : ''}`} dir="auto">
            {shown.title}
          </span>
          <span className="block text-xs text-muted">{shown.text}</span>
          <span className="block text-xs text-muted">{formatAge(notification.create_time)}</span>
        </span>
      </Link>
    </li>
  );
}

/** The browser asks only after the user has pressed a button. */
function BrowserLine({ onAsked }: { readonly onAsked: () => void }) {
  const texts = useNotificationMessages();
  const [isAnswered, setAnswered] = useState(false);
  if (!canAsk() && !(isAnswered && isDenied())) return null;
  return (
    <div className="border-t border-line px-4 py-2">
      {isDenied() ? (
        <p className="text-xs text-muted">{texts.denied}</p>
      ) : (
        <Button
          size="small"
          onPress={() =>
            void ask()
              .then(() => {
                onAsked();
                setAnswered(true);
              })
              .catch(toastError)
          }
        >
          {texts.allow}
        </Button>
      )}
    </div>
  );
}
