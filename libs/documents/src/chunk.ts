export type DocumentType = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'epub' | 'html' | 'markdown' | 'csv' | 'tsv' | 'json' | 'text';

export interface Chunk {
  /** Derived from the source, the ordinal and the text: the same file with the same chunking has the same ids. */
  readonly id: string;
  /** Counts from 0 in the order of the document. */
  readonly ordinal: number;
  readonly text: string;
  /** The text of the larger passage that contains this chunk (`hierarchical`), otherwise null. */
  readonly parent: string | null;
  /** The page or slide of the first character, from 1. */
  readonly page_number: number | null;
  /** The nearest heading at or before the first character. */
  readonly heading: string | null;
  readonly tokens: number;
}

/** A bot's chunking, in the form of its configuration. */
export type Chunking =
  | { readonly chunking_strategy: 'none' }
  | {
      readonly chunking_strategy: 'fixed_size';
      readonly fixed_size_chunking_configuration: { readonly max_tokens: number; readonly overlap_percentage: number };
    }
  | {
      readonly chunking_strategy: 'semantic';
      readonly semantic_chunking_configuration: {
        readonly max_tokens: number;
        readonly buffer_size: number;
        readonly breakpoint_percentile_threshold: number;
      };
    }
  | {
      readonly chunking_strategy: 'hierarchical';
      readonly hierarchical_chunking_configuration: {
        readonly level_configurations: readonly { readonly max_tokens: number }[];
        readonly overlap_tokens: number;
      };
    };
