-- What was imported when, from where and by whom. Written in each import's own transaction.

CREATE TABLE "imports" (
  "id" SERIAL NOT NULL,
  "finished_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "sources" TEXT[] NOT NULL,
  "imported_by" TEXT NOT NULL,
  "duration_ms" INTEGER NOT NULL,
  "created" INTEGER NOT NULL,
  "updated" INTEGER NOT NULL,
  "unchanged" INTEGER NOT NULL,
  "rejected" INTEGER NOT NULL,
  "removed" INTEGER NOT NULL,
  CONSTRAINT "imports_pkey" PRIMARY KEY ("id")
);
