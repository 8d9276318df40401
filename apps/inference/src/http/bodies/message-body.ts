import { IMAGE_TYPES } from '@parlance/documents';
import { IsUlid } from '@parlance/http';
import { Type } from 'class-transformer';
import { ArrayMaxSize, Equals, IsArray, IsIn, IsOptional, Length, Matches, ValidateBy, ValidateNested } from 'class-validator';
import type { RequestFile } from '../../adapters/files/file-reader.ts';
import { MAX_ATTACHMENT_BYTES, MAX_FILE_NAME, MAX_IMAGE_BYTES } from '../../domain/file-limits.ts';

/** The limit for all texts of a message, including the earlier messages and the instruction that a program sends with it. */
export const MAX_TEXT_BYTES = 1024 * 1024;
/** The limit for a request with a message and its files. */
export const MAX_REQUEST_BYTES = 20 * 1024 * 1024;

// oxlint-disable-next-line no-control-regex
const FILE_NAME = /^[^\\/\u0000-\u001f\u007f]+$/;

/** Base64 of a file. Only its length is checked here, because a long text is decoded in pieces. */
const IsFile = (most: number): PropertyDecorator => {
  const maxLength = Math.ceil(most / 3) * 4;
  const schema = { type: 'string', contentEncoding: 'base64', minLength: 1, maxLength };
  return ValidateBy(
    {
      name: 'isFile',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && value.length > 0 && value.length <= maxLength,
        defaultMessage: () => `must be base64 of 1 to ${most} bytes`,
      },
    },
    { context: { schema } },
  );
};

class TextContent {
  @Equals('text') content_type!: 'text';
  @Length(1, 1_048_576) body!: string;
}

class ImageContent {
  @Equals('image') content_type!: 'image';
  /** Accepted for compatibility. The actual type is detected from the content. */
  @IsIn(IMAGE_TYPES) media_type!: string;
  @IsFile(MAX_IMAGE_BYTES) body!: string;
}

class AttachmentContent {
  @Equals('attachment') content_type!: 'attachment';
  /** Without a folder and without control characters. */
  @Length(1, MAX_FILE_NAME) @Matches(FILE_NAME, { message: 'must not contain /, \\ or control characters' }) file_name!: string;
  @IsFile(MAX_ATTACHMENT_BYTES) body!: string;
}

export type Content = TextContent | ImageContent | AttachmentContent;

export class MessageBody {
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => Object, {
    discriminator: {
      property: 'content_type',
      subTypes: [
        { name: 'text', value: TextContent },
        { name: 'image', value: ImageContent },
        { name: 'attachment', value: AttachmentContent },
      ],
    },
    keepDiscriminatorProperty: true,
  })
  content!: Content[];
  @IsOptional() @Length(1, 200) model?: string;
  @IsOptional() @IsUlid() parent_message_id?: string;
}

/** The text of a message. */
export const textOf = (content: readonly Content[]): string =>
  content.flatMap((part) => (part.content_type === 'text' ? [part.body] : [])).join('\n');

export function filesOf(content: readonly Content[]): readonly RequestFile[] {
  return content.flatMap((part, index): RequestFile[] => {
    const path = `message.content[${index}].body`;
    if (part.content_type === 'image') return [{ kind: 'image', path, body: part.body }];
    return part.content_type === 'attachment' ? [{ kind: 'attachment', path, body: part.body, name: part.file_name }] : [];
  });
}
