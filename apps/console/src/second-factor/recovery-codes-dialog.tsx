import { Download } from 'lucide-react';
import { saveFile } from '../api/save-file.ts';
import { useSecondFactorMessages } from '../messages/second-factor-messages.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';

const FILE = 'parlance-recovery-codes.txt';

/** Recovery codes, which the server shows once. */
export function RecoveryCodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const texts = useSecondFactorMessages();
  const text = `${codes.join('\n')}\n`;
  return (
    <Dialog
      title={texts.recoveryCodes}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onPress={onClose}>
          {texts.codesKept}
        </Button>
      }
    >
      <p className="text-sm">{texts.recoveryCodesText}</p>
      <ul aria-label={texts.recoveryCodes} className="grid grid-cols-2 gap-2 rounded-md border border-line bg-code p-3 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} label={texts.copyCodes} />
        <Button size="small" look="quiet" onPress={() => saveFile(new Blob([text], { type: 'text/plain' }), FILE)}>
          <Download aria-hidden className="size-4" />
          {texts.downloadCodes}
        </Button>
      </div>
    </Dialog>
  );
}
