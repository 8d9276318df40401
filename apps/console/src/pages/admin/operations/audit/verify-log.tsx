import type { AuditVerdict } from '@parlance/client/types';
import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ErrorState, Loading } from '../../../../ui/states.tsx';

/** Asks the server to recompute the hash chain, and shows the verdict. */
export function VerifyLog() {
  const { audit } = useAdminMessages().admin.operations;
  const [isOpen, setOpen] = useState(false);
  const verification = useMutation({ mutationFn: () => parlance.api.get('/admin/audit-logs/verify') });
  const verify = () => {
    setOpen(true);
    verification.mutate();
  };
  return (
    <>
      <Button onPress={verify}>
        <ShieldCheck aria-hidden className="size-4" />
        {audit.verify}
      </Button>
      <Dialog title={audit.verifyTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
        {verification.isPending && <Loading label={audit.verifying} />}
        {verification.isError && <ErrorState error={verification.error} onRetry={() => verification.mutate()} />}
        {verification.data && <Verdict verdict={verification.data} />}
      </Dialog>
    </>
  );
}

function Verdict({ verdict: { valid, checked, head, first_broken } }: { readonly verdict: AuditVerdict }) {
  const { audit } = useAdminMessages().admin.operations;
  const text = valid ? audit.valid(checked) : first_broken === null ? audit.invalid : audit.broken(first_broken);
  return (
    <>
      <p role="status" className={`font-medium ${valid ? 'text-ok' : 'text-bad'}`}>
        {text}
      </p>
      {head && (
        <>
          <p className="text-sm text-muted">{audit.headText}</p>
          <CodeBlock label={audit.head} code={`${head.id}\n${head.hash}`} />
        </>
      )}
    </>
  );
}
