SELECT {{sql}} FROM sqlagent.{{table}} WHERE id = $1
