import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useArtifactMessages } from '../../../messages/artifact-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { saveFile } from '../../../api/save-file.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CopyIcon } from '../../../ui/copy-button.tsx';
import type { Turn } from '../conversation/message-tree.ts';
import { CodeText } from '../markdown/code.tsx';
import { fileOf } from './artifact-file.ts';
import { ArtifactPreview } from './artifact-preview.tsx';
import type { Artifact } from './artifacts.ts';
import type { ChosenBlock } from './show-artifact.ts';
import { useShownArtifact } from './use-shown-artifact.ts';

export interface PanelProps {
  readonly block: ChosenBlock;
  readonly turns: readonly Turn[];
  readonly onClose: () => void;
}

type View = 'preview' | 'code';

const tabLook =
  'flex min-h-8 cursor-pointer items-center rounded-sm px-3 text-xs whitespace-nowrap text-muted outline-none data-[disabled]:cursor-default data-[disabled]:opacity-50 data-[focus-visible]:outline-2 data-[focus-visible]:outline-accent data-[hovered]:text-text data-[selected]:bg-accent-soft data-[selected]:font-medium data-[selected]:text-accent max-sm:min-h-11';

/** A page, picture or document that a model wrote, beside the chat in which it is. */
export function ArtifactPanel({ block, turns, onClose }: PanelProps) {
  const { chat, common } = useMessages();
  const texts = useArtifactMessages();
  const { shown, versions, show } = useShownArtifact(turns, block);
  const [chosen, setChosen] = useState<View>('preview');
  // A preview of half a page would change with each word.
  const view = shown.isComplete ? chosen : 'code';
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  const kinds = { html: texts.webPage, svg: chat.image, markdown: texts.document, mermaid: chat.diagram };
  const name = shown.title || kinds[shown.kind];
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={name}
      onKeyDown={onKeyDown}
      className="flex w-1/2 shrink-0 flex-col border-s border-line bg-bg outline-none max-lg:absolute max-lg:inset-0 max-lg:z-10 max-lg:w-full max-lg:border-0 print:hidden"
    >
      <header className="flex min-h-12 items-center gap-1 border-b border-line py-1 ps-4 pe-2">
        <h2 dir="auto" className="min-w-0 grow truncate text-sm font-semibold">
          {name}
        </h2>
        <CopyIcon text={shown.code} />
        <IconButton label={chat.download} onPress={() => saveFile(...fileOf(shown, name))}>
          <Download aria-hidden className="size-4" />
        </IconButton>
        <IconButton label={common.close} onPress={onClose}>
          <X aria-hidden className="size-5" />
        </IconButton>
      </header>
      <Tabs
        selectedKey={view}
        onSelectionChange={(key) => setChosen(key as View)}
        disabledKeys={shown.isComplete ? [] : ['preview']}
        className="flex min-h-0 grow flex-col"
      >
        <div className="flex flex-wrap items-center gap-x-3 px-3 py-1.5">
          <TabList aria-label={name} className="flex gap-1">
            <Tab id="preview" className={tabLook}>
              {texts.preview}
            </Tab>
            <Tab id="code" className={tabLook}>
              {chat.code}
            </Tab>
          </TabList>
          <p role="status" className="text-xs text-muted">
            {!shown.isComplete && texts.unfinished}
          </p>
          <Versions shown={shown} versions={versions} onShow={show} />
        </div>
        {/* Stays in the page while the code is shown, so that it keeps what was entered in it. */}
        <TabPanel id="preview" shouldForceMount className="flex min-h-0 grow flex-col overflow-auto data-[inert]:hidden">
          {shown.isComplete && <ArtifactPreview key={shown.code} artifact={shown} name={name} onEscape={onClose} />}
        </TabPanel>
        <TabPanel id="code" className="min-h-0 grow overflow-auto bg-code">
          <CodeText code={shown.code} language={shown.kind === 'svg' ? 'xml' : shown.kind} isGrowing={!shown.isComplete} />
        </TabPanel>
      </Tabs>
    </section>
  );
}

interface VersionsProps {
  readonly shown: Artifact;
  readonly versions: readonly Artifact[];
  readonly onShow: (version: Artifact) => void;
}

function Versions({ shown, versions, onShow }: VersionsProps) {
  const { chat } = useMessages();
  const texts = useArtifactMessages();
  const group = useRef<HTMLDivElement>(null);
  if (versions.length < 2) return null;
  const at = versions.findIndex(({ id }) => id === shown.id);
  const [before, after] = [versions[at - 1], versions[at + 1]];
  const go = (version: Artifact | undefined) => {
    if (version === undefined) return;
    // At the first and the last version, the pressed button is disabled and would lose the focus.
    if (version === versions[0] || version === versions.at(-1)) group.current?.focus();
    onShow(version);
  };
  return (
    <div
      ref={group}
      tabIndex={-1}
      role="group"
      aria-label={chat.versions}
      className="flex items-center text-xs whitespace-nowrap text-muted"
    >
      <IconButton label={chat.earlierVersion} isDisabled={before === undefined} onPress={() => go(before)}>
        <ChevronLeft aria-hidden className="size-4 rtl:-scale-x-100" />
      </IconButton>
      <span aria-live="polite">{texts.version(at + 1, versions.length)}</span>
      <IconButton label={chat.laterVersion} isDisabled={after === undefined} onPress={() => go(after)}>
        <ChevronRight aria-hidden className="size-4 rtl:-scale-x-100" />
      </IconButton>
    </div>
  );
}
