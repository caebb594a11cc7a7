INSERT INTO sqlagent.threads (owner, title) VALUES ($1, $2) RETURNING id
