import type { ModelProvider } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { IconButton } from '../../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../../ui/dialogs/confirm-dialog.tsx';
import { Menu } from '../../../../../ui/menu.tsx';
import { toast } from '../../../../../ui/toasts.tsx';
import { changeRead } from '../catalogue-queries.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** What can be done with a provider. One of the configuration can only be tested, and given models. */
export function ProviderActions({ provider }: { readonly provider: ModelProvider }) {
  const { providers } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'test' | 'change' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const { id, type, etag, available, source } = provider;
  const remove = async () => {
    await changeRead(client, providers.stale, () =>
      parlance.api.delete('/admin/providers/{providerId}', { path: { providerId: id }, ifMatch: etag! }),
    );
    toast(providers.removed(id));
  };
  const connect = () => void navigate({ to: '/admin/models/connect', search: { provider: id } });
  return (
    <>
      <Menu
        label={providers.actions(id)}
        trigger={
          <IconButton label={providers.actions(id)}>
            <Ellipsis aria-hidden className="size-5" />
          </IconButton>
        }
        entries={[
          { id: 'test', name: providers.test, onAction: () => setOpen('test') },
          ...(available && type !== 'local' ? [{ id: 'model', name: providers.addModel, onAction: connect }] : []),
          ...(!available && source === 'built_in' ? [{ id: 'key', name: providers.addKey, onAction: connect }] : []),
          ...(etag === null
            ? []
            : [
                { id: 'change', name: providers.change, onAction: () => setOpen('change') },
                { id: 'remove', name: providers.remove, onAction: () => setOpen('remove'), isDanger: true },
              ]),
        ]}
      />
      {open === 'test' && <TestDialog providerId={id} onClose={close} />}
      {open === 'change' && <ProviderDialog provider={provider} onClose={close} />}
      <ConfirmDialog
        title={providers.removeTitle(id)}
        text={providers.removeText}
        confirmLabel={providers.remove}
        isOpen={open === 'remove'}
        onClose={close}
        onConfirm={remove}
      />
    </>
  );
}
