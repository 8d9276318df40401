import type { RetentionPreview, RetentionRule } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ErrorNote, Loaded, Loading } from '../../../../ui/states.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { useSending } from '../../../../ui/use-sending.ts';

interface EnableDialogProps {
  readonly rule: RetentionRule;
  readonly name: string;
  readonly onClose: () => void;
}

/** Counts what a rule would delete now, and enables it when the user has confirmed this number. */
export function EnableDialog({ rule, name, onClose }: EnableDialogProps) {
  const { common, admin } = useAdminMessages();
  const { retention } = admin.operations;
  const client = useQueryClient();
  const path = { ruleId: rule.id };
  const isOfExports = rule.kind === 'exports';
  const preview = useQuery({
    queryKey: ['admin', 'retention-preview', rule.id],
    queryFn: ({ signal }) => parlance.api.get('/admin/retention/{ruleId}/preview', { path, signal }),
    // The number must not change while the user reads it. The next dialog counts again.
    staleTime: Infinity,
    gcTime: 0,
  });
  const { isPending, error, send } = useSending(async () => {
    await parlance.api.patch('/admin/retention/{ruleId}', { path, body: { enabled: true } });
    await client.invalidateQueries({ queryKey: ['admin', 'retention'] });
    toast(retention.enabledNow);
    onClose();
  });
  const confirmLabel = (counted: RetentionPreview | undefined) => {
    if (counted === undefined || counted.conversations + counted.exports === 0) return retention.enable;
    if (isOfExports) return retention.enableAndRemove(counted.exports);
    return counted.is_complete ? retention.enableAndDelete(counted.conversations) : retention.enableAndDeleteMore(counted.conversations);
  };
  return (
    <Dialog
      title={retention.enableTitle}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button look="danger" isDisabled={preview.data === undefined} isPending={isPending} onPress={() => send()}>
            {confirmLabel(preview.data)}
          </Button>
        </>
      }
    >
      <p className="font-medium">{name}</p>
      {preview.isPending ? (
        <Loading label={retention.counting} />
      ) : (
        <Loaded query={preview}>
          {(counted) => <p role="status">{isOfExports ? filesText(counted, retention) : countText(counted, retention)}</p>}
        </Loaded>
      )}
      <p className="text-sm text-muted">
        {isOfExports ? retention.exportsAreWritten : retention.cannotBeUndone} {retention.keptDisabled}
      </p>
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

interface CountTexts {
  readonly wouldDelete: (n: number) => string;
  readonly wouldDeleteMore: (n: number) => string;
  readonly wouldDeleteNone: string;
}

function countText({ conversations, is_complete }: RetentionPreview, texts: CountTexts): string {
  if (!is_complete) return texts.wouldDeleteMore(conversations);
  return conversations === 0 ? texts.wouldDeleteNone : texts.wouldDelete(conversations);
}

interface FilesTexts {
  readonly wouldRemoveExports: (n: number) => string;
  readonly wouldRemoveNoExports: string;
}

const filesText = ({ exports }: RetentionPreview, texts: FilesTexts): string =>
  exports === 0 ? texts.wouldRemoveNoExports : texts.wouldRemoveExports(exports);
