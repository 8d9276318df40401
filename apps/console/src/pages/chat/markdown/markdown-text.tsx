import { createContext, memo, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import Markdown, { type Components, type ExtraProps, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useMessages } from '../../../messages/index.ts';
import { CitationMark } from '../messages/sources/citation-mark.tsx';
import { type Block, blocksOf } from './blocks.ts';
import { citationMarks, withoutNotes } from './citation-marks.ts';
import { Code } from './code.tsx';
import { Formula } from './formula.tsx';
import { hasFormula, withFormulas } from './formulas.ts';
import { OutsideLink } from './outside-link.tsx';
import { PlainText } from './plain-text.tsx';
import { useGrown } from './use-grown.ts';

type Plugins = NonNullable<Options['remarkPlugins']>;

const PLUGINS: Plugins = [[remarkGfm, { singleTilde: false }], citationMarks];
const IsGrowing = createContext(false);

/** A model's text as Markdown. Only changed blocks are rendered again; while the text grows, this is the last block. */
export function MarkdownText({ text, isGrowing = false }: { readonly text: string; readonly isGrowing?: boolean }) {
  const before = useRef<readonly Block[]>([]);
  const shown = useGrown(text, isGrowing);
  const blocks = useMemo(() => (before.current = blocksOf(shown, before.current)), [shown]);
  return (
    // Clipped, because formulas can move their parts anywhere. The margin leaves space for focus outlines.
    <div className="markdown flex min-w-0 flex-col gap-3 overflow-clip [overflow-clip-margin:4px]" dir="auto">
      {Array.from({ length: Math.ceil(blocks.length / IN_SECTION) }, (_, index) => {
        const [first, next] = [index * IN_SECTION, (index + 1) * IN_SECTION];
        const isLast = next >= blocks.length;
        return (
          <Section
            key={index}
            blocks={blocks.slice(first, next)}
            isGrowing={isGrowing && isLast}
            isFar={next < blocks.length - IN_SECTION}
          />
        );
      })}
    </div>
  );
}

/**
 * The number of blocks in a section, about one screen. Only sections in view are laid out and painted, so that earlier text costs nothing
 * while the text grows.
 */
const IN_SECTION = 10;

interface SectionProps {
  readonly blocks: readonly Block[];
  readonly isGrowing: boolean;
  /** Whether the section is far from the growing end. */
  readonly isFar: boolean;
}

const Section = memo(
  function Section({ blocks, isGrowing, isFar }: SectionProps) {
    return (
      // Gaps instead of margins, which would collapse with those of the next section only while both are in view.
      <div className={`flex flex-col gap-3 *:my-0 ${isFar ? '[contain-intrinsic-height:auto_600px] [content-visibility:auto]' : ''}`}>
        {blocks.map(({ at, text, isPlain }, index) =>
          isPlain ? (
            <PlainText key={at} text={text} />
          ) : (
            <BlockText key={at} text={text} isGrowing={isGrowing && index === blocks.length - 1} />
          ),
        )}
      </div>
    );
  },
  (one, other) =>
    one.isGrowing === other.isGrowing &&
    one.isFar === other.isFar &&
    one.blocks.length === other.blocks.length &&
    one.blocks.every((block, index) => block === other.blocks[index]),
);

const BlockText = memo(function BlockText({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }) {
  const source = useMemo(() => withFormulas(withoutNotes(text)), [text]);
  const plugins = useFormulaPlugins(hasFormula(source));
  return (
    <IsGrowing value={isGrowing}>
      <Markdown remarkPlugins={plugins} components={COMPONENTS}>
        {source}
      </Markdown>
    </IsGrowing>
  );
});

let formulaPlugins: Plugins | null = null;

/** The formula parser is loaded with the first formula. */
function useFormulaPlugins(isNeeded: boolean): Plugins {
  const [plugins, setPlugins] = useState(formulaPlugins);
  useEffect(() => {
    if (!isNeeded || plugins !== null) return;
    void import('remark-math').then(
      ({ default: remarkMath }) => {
        formulaPlugins ??= [...PLUGINS, [remarkMath, { singleDollarTextMath: false }]];
        setPlugins(formulaPlugins);
      },
      () => undefined,
    );
  }, [isNeeded, plugins]);
  return (isNeeded && plugins) || PLUGINS;
}

const textIn = (node: ExtraProps['node']): string =>
  (node?.children ?? []).map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textIn(child) : '')).join('');

function Pre({ node }: ExtraProps) {
  const isGrowing = use(IsGrowing);
  const code = node?.children[0];
  if (code?.type !== 'element') return null;
  const names = ((code.properties['className'] as string[] | undefined) ?? []).map(String);
  const source = textIn(code).replace(/\n$/, '');
  if (names.includes('math-display')) return <Formula source={source} isBlock />;
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? '';
  return <Code code={source} language={language.toLowerCase()} isGrowing={isGrowing} />;
}

function InlineCode({ node }: ExtraProps) {
  const names = (node?.properties['className'] as string[] | undefined) ?? [];
  if (names.includes('math-inline') || names.includes('math-display')) return <Formula source={textIn(node)} isBlock={false} />;
  return <code className="rounded-[5px] bg-code px-1 py-0.5 font-mono text-[0.88em]">{textIn(node)}</code>;
}

/** An image is shown as a link, because nothing is loaded from other sites. */
function Picture({ src, alt }: { readonly src?: unknown; readonly alt?: string | undefined }) {
  const { chat } = useMessages();
  return <OutsideLink address={String(src ?? '')}>{chat.imageAt(alt ?? '')}</OutsideLink>;
}

function WideTable({ children }: { readonly children: ReactNode }) {
  const { chat } = useMessages();
  return (
    <div className="my-3 overflow-x-auto rounded-md border border-line" tabIndex={0} role="group" aria-label={chat.table}>
      <table className="w-full border-collapse text-start text-xs">{children}</table>
    </div>
  );
}

/** Headings of the text are below the heading of the reply. */
const heading = (Level: 'h3' | 'h4' | 'h5' | 'h6', look: string) =>
  function Heading({ children }: { readonly children?: ReactNode }) {
    return (
      <Level className={`my-2 pt-2 font-semibold [:first-child>&:first-child]:mt-0 [:first-child>&:first-child]:pt-0 ${look}`}>
        {children}
      </Level>
    );
  };

const COMPONENTS: Components = {
  pre: Pre,
  code: InlineCode,
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  a: ({ href, children }) => <OutsideLink address={href ?? ''}>{children}</OutsideLink>,
  cite: ({ title }) => <CitationMark rank={Number(title)} />,
  h1: heading('h3', 'text-lg'),
  h2: heading('h4', 'text-md'),
  h3: heading('h5', 'text-sm'),
  h4: heading('h6', 'text-sm'),
  h5: heading('h6', 'text-sm'),
  h6: heading('h6', 'text-sm'),
  table: ({ children }) => <WideTable>{children}</WideTable>,
  // The style is the alignment of the column.
  th: ({ children, style }) => (
    <th style={style} className="border-b border-line bg-surface px-3 py-1.5 text-start font-medium">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-line px-3 py-1.5 align-top [tr+tr>&]:border-t">
      {children}
    </td>
  ),
  p: ({ children }) => <p className="my-2 first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children, className = '' }) => (
    <ul className={`my-2 ps-6 ${className.includes('task-list') ? 'list-none' : 'list-disc'}`}>{children}</ul>
  ),
  ol: ({ children, start }) => (
    <ol start={start} className="my-2 list-decimal ps-6">
      {children}
    </ol>
  ),
  li: ({ children }) => <li className="my-1">{children}</li>,
  blockquote: ({ children }) => <blockquote className="my-2 border-s-2 border-line ps-3 text-muted">{children}</blockquote>,
  hr: () => <hr className="my-4 border-line" />,
  // The checkbox of a GitHub task list, read-only.
  input: ({ checked }) => <span aria-hidden>{checked === true ? '☑ ' : '☐ '}</span>,
};
