import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useAccountMessages } from '../../messages/account-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { meQuery, useMe } from '../../session/use-me.ts';
import { Switch } from '../../ui/fields/index.ts';
import { Section } from '../../ui/page.tsx';
import { toastError } from '../../ui/toasts.tsx';

/** Nothing if the installation sends no mail. */
export function NotificationMails() {
  const account = useAccountMessages();
  const cache = useQueryClient();
  const { notification_mails: chosen } = useMe();
  const choice = useMutation({
    // Sent one after another, so that the last choice wins.
    scope: { id: 'notification mails' },
    mutationFn: (notification_mails: boolean) => parlance.api.patch('/user/me', { body: { notification_mails } }),
    onSuccess: (me) => cache.setQueryData(meQuery.queryKey, me),
    onError: toastError,
  });
  if (chosen === null) return null;
  return (
    <Section title={account.notificationMails} description={account.notificationMailsText}>
      <Switch isSelected={choice.isPending ? choice.variables : chosen} onChange={(wanted) => choice.mutate(wanted)}>
        {account.sendNotificationMails}
      </Switch>
    </Section>
  );
}
