import { defineConfig } from 'prisma/config';

// `generate`, `validate` and `format` never run the schema engine, yet Prisma downloads it first.
// A stand-in path keeps them offline; other commands (such as `migrate deploy`) must find the real one.
if (['generate', 'validate', 'format'].some((command) => process.argv.includes(command))) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/revgate' },
});
