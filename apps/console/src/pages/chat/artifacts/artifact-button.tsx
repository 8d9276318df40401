import { use } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { kindOf } from './artifact-kind.ts';
import { ShowArtifact } from './show-artifact.ts';

/** Shows a block of code beside the chat, if it is more than code. */
export function ArtifactButton({ code, language }: { readonly code: string; readonly language: string }) {
  const { chat } = useMessages();
  const show = use(ShowArtifact);
  const kind = show && kindOf(language, code);
  return (
    kind && (
      <Button
        size="small"
        look="quiet"
        className="print:hidden"
        onPress={({ target }) => show({ kind, code, button: target as HTMLElement })}
      >
        {chat.showBeside}
      </Button>
    )
  );
}
