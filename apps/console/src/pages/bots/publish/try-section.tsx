import { PublishedBot } from '@parlance/client';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';

/** Asks the published bot with a key, as a program does. */
export function TrySection({ endpoint }: { readonly endpoint: string }) {
  const { publish } = useMessages().bots;
  const [apiKey, setApiKey] = useState('');
  const [question, setQuestion] = useState('');
  const [answer, setAnswer] = useState('');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { signal } = (stop.current = new AbortController());
    setPending(true);
    setError(null);
    setAnswer('');
    try {
      const bot = new PublishedBot({ endpoint: hereOf(endpoint), apiKey: apiKey.trim() });
      const body = { message: { content: [{ content_type: 'text' as const, body: question.trim() }] } };
      for await (const piece of bot.stream(body, { signal }).text()) setAnswer((before) => before + piece);
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      setPending(false);
    }
  };

  return (
    <Section title={publish.try} description={publish.tryText}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <TextField
          label={publish.pasteKey}
          type="password"
          autoComplete="off"
          value={apiKey}
          onChange={setApiKey}
          placeholder="prl_…"
          isRequired
        />
        <div className="flex items-end gap-3 max-sm:flex-col max-sm:items-stretch">
          <TextField label={publish.question} value={question} onChange={setQuestion} isRequired className="grow" autoComplete="off" />
          <Button type="submit" isPending={isPending}>
            {publish.send}
          </Button>
        </div>
      </form>
      <div role="status">
        {answer !== '' && (
          <p className="rounded-sm border border-line bg-surface p-3 text-sm whitespace-pre-wrap">
            <span className="sr-only">{publish.answer}: </span>
            {answer}
          </p>
        )}
      </div>
      {error !== null && <ErrorNote error={error} />}
    </Section>
  );
}

/** The content security policy allows requests only to the page's own origin, where the API answers too. */
function hereOf(endpoint: string): string {
  const { pathname } = new URL(endpoint);
  return new URL(pathname, globalThis.location.origin).href;
}
