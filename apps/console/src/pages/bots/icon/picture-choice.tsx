import type { PrivateBot } from '@parlance/client/types';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { longUpload } from '../../../api/long-request.ts';
import { useBotAppearanceMessages } from '../../../messages/bot-appearance-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { botChanged } from '../bot-queries.ts';
import { squareOf } from './square-of.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Uploads or removes the picture of a saved bot. This takes effect at once. */
export function PictureChoice({ bot: { id, picture } }: { readonly bot: Pick<PrivateBot, 'id' | 'picture'> }) {
  const texts = useBotAppearanceMessages();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<PrivateBot>) => {
    setPending(true);
    setError(null);
    await act().then(botChanged).catch(setError);
    setPending(false);
  };
  const send = (file: File) =>
    run(async () => {
      const square = await squareOf(file).catch(() => {
        throw new Error(texts.unreadable);
      });
      return longUpload<PrivateBot>(`/bot/${id}/picture`, square, square.type, 'PUT');
    });
  return (
    <div role="group" aria-label={texts.picture} className="flex flex-col gap-1">
      <span aria-hidden className="text-xs font-medium">
        {texts.picture}
      </span>
      <div className="flex flex-wrap gap-2">
        <FileTrigger acceptedFileTypes={TYPES} onSelect={(files) => files?.[0] && void send(files[0])}>
          <Button size="small" isPending={isPending}>
            {texts.uploadPicture}
          </Button>
        </FileTrigger>
        {picture !== null && (
          <Button
            size="small"
            isDisabled={isPending}
            onPress={() => void run(() => parlance.api.delete('/bot/{botId}/picture', { path: { botId: id } }))}
          >
            {texts.removePicture}
          </Button>
        )}
      </div>
      <span className="text-xs text-muted">{texts.pictureHelp}</span>
      {error !== null && <ErrorNote error={error} />}
    </div>
  );
}
