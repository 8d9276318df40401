import { ChangesFields, IsUlid, MayBeNull } from '@parlance/http';
import { IsIn, IsOptional, Length, Matches, MaxLength } from 'class-validator';
import { MAX_PROJECT_INSTRUCTION, MAX_PROJECT_TITLE } from '../../domain/projects/project-limits.ts';
import type { MemberRole } from '../../domain/projects/projects.ts';

const NOT_BLANK = { message: 'must not be only spaces' };

class Defaults {
  @IsOptional() @MaxLength(MAX_PROJECT_INSTRUCTION) instruction?: string;
  @MayBeNull() @IsUlid() bot_id?: string | null;
  @MayBeNull() @Length(1, 200) model?: string | null;
}

export class NewProjectBody extends Defaults {
  @Length(1, MAX_PROJECT_TITLE) @Matches(/\S/u, NOT_BLANK) title!: string;
}

@ChangesFields()
export class ProjectBody extends Defaults {
  @IsOptional() @Length(1, MAX_PROJECT_TITLE) @Matches(/\S/u, NOT_BLANK) title?: string;
}

export class MemberBody {
  @IsIn(['viewer', 'editor']) role!: MemberRole;
}
