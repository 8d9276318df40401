import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { Dialog } from '../../../../../ui/dialogs/dialog.tsx';
import { ErrorNote, Loading } from '../../../../../ui/states.tsx';
import { CheckVerdict } from '../check-verdict.tsx';

/** Tests a provider as soon as it opens. */
export function TestDialog({ providerId, onClose }: { readonly providerId: string; readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const { providers } = admin.operations;
  const { mutate, isPending, isIdle, error, data } = useMutation({
    mutationFn: () => parlance.api.post('/admin/providers/{providerId}/check', { path: { providerId } }),
  });
  useEffect(() => mutate(), [mutate]);
  return (
    <Dialog
      title={providers.testOf(providerId)}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.close}</Button>
          <Button isPending={isPending} onPress={() => mutate()}>
            {providers.test}
          </Button>
        </>
      }
    >
      {(isIdle || isPending) && <Loading label={providers.testing} />}
      {error !== null && <ErrorNote error={error} />}
      <div role="status">{data && !isPending && <CheckVerdict check={data} of="provider" />}</div>
    </Dialog>
  );
}
