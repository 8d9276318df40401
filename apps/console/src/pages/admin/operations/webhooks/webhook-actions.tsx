import type { RotatedWebhookSecret, Webhook } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onRotated: (rotated: RotatedWebhookSecret) => void;
}

export function WebhookActions({ webhook, onRotated }: WebhookActionsProps) {
  const { webhooks } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'replay' | 'rotate' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const path = { webhookId: webhook.id };
  const reread = () => client.invalidateQueries({ queryKey: ['admin', 'webhooks'] });

  const toggle = useMutation({
    mutationFn: () => parlance.api.patch('/admin/webhooks/{webhookId}', { path, body: { enabled: !webhook.enabled } }),
    onSuccess: async ({ enabled }) => {
      await reread();
      toast(enabled ? webhooks.enabledNow : webhooks.disabledNow);
    },
    onError: toastError,
  });
  const rotate = async () => {
    onRotated(await parlance.api.post('/admin/webhooks/{webhookId}/secret', { path }));
    await reread();
  };
  const remove = async () => {
    await parlance.api.delete('/admin/webhooks/{webhookId}', { path });
    toast(webhooks.removed);
    await navigate({ to: '/admin/webhooks', search: {} });
    client.removeQueries({ queryKey: ['admin', 'webhooks', webhook.id] });
    await client.invalidateQueries({ queryKey: ['admin', 'webhooks', 'list'] });
  };

  return (
    <>
      <Button onPress={() => setOpen('edit')}>{webhooks.edit}</Button>
      <Button onPress={() => setOpen('replay')}>{webhooks.replay}</Button>
      {!webhook.enabled && (
        <Button look="primary" isPending={toggle.isPending} onPress={() => toggle.mutate()}>
          {webhooks.enable}
        </Button>
      )}
      <Menu
        label={webhooks.more}
        trigger={
          <IconButton label={webhooks.more}>
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
        }
        entries={[
          ...(webhook.enabled ? [{ id: 'disable', name: webhooks.disable, onAction: () => toggle.mutate() }] : []),
          { id: 'rotate', name: webhooks.rotate, onAction: () => setOpen('rotate') },
          { id: 'remove', name: webhooks.remove, onAction: () => setOpen('remove'), isDanger: true },
        ]}
      />
      {open === 'edit' && <WebhookDialog webhook={webhook} onClose={close} />}
      {open === 'replay' && <ReplayDialog webhookId={webhook.id} onClose={close} />}
      <ConfirmDialog
        title={webhooks.rotateTitle}
        text={webhooks.rotateText}
        confirmLabel={webhooks.rotate}
        isDanger={false}
        isOpen={open === 'rotate'}
        onClose={close}
        onConfirm={rotate}
      />
      <ConfirmDialog
        title={webhooks.removeTitle}
        text={webhooks.removeText}
        confirmLabel={webhooks.remove}
        isOpen={open === 'remove'}
        onClose={close}
        onConfirm={remove}
      />
    </>
  );
}
